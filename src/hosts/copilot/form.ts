import { asFields, asFieldsList, asText, type Fields } from "../fields.ts";
import { splitByMarks } from "../question-input.ts";

/** One field of the form that `ask_user` shows. */
export interface FormField {
  /** Names the field in the form's content; "" for a question of earlier versions, which has no form. */
  key: string;
  text: string;
  header: string | undefined;
  labels: string[];
  isMulti: boolean;
  /** A value in a result of the call, as the label that stands for it. */
  nameOf(value: string): string;
  /** The field's value for chosen labels or a free text; undefined if they give none. */
  valueOf(chosen: readonly string[]): unknown;
}

/** The fields of a call: of its schema, or the one question of earlier versions. */
export function listFields(input: Fields): FormField[] {
  const { message, requestedSchema, question, choices } = input;
  const properties = Object.entries(asFields(asFields(requestedSchema)?.["properties"]) ?? {});
  if (properties.length === 0) {
    const text = asText(question);
    return text === undefined ? [] : [readField("", text, undefined, { enum: choices })];
  }
  return properties.map(([key, value]) => {
    const schema = asFields(value) ?? {};
    const name = asText(schema["title"]) ?? asText(schema["description"]) ?? key;
    const asked = asText(message) ?? "";
    const text = properties.length === 1 ? asked : `${asked} (${name})`;
    return readField(key, asked === "" ? name : text, name, schema);
  });
}

function readField(key: string, text: string, header: string | undefined, schema: Fields): FormField {
  const isMulti = schema["type"] === "array";
  const choices = schema["type"] === "boolean" ? yesAndNo : listChoices(schema);
  const isNumber = schema["type"] === "number" || schema["type"] === "integer";
  const readOne = (chosen: string): unknown => {
    const choice = choices.find(({ label }) => label === chosen);
    if (choice) return choice.value;
    if (schema["type"] === "boolean" || chosen.trim() === "") return undefined;
    if (!isNumber) return chosen;
    return Number.isFinite(Number(chosen)) ? Number(chosen) : undefined;
  };
  return {
    key,
    text,
    header,
    isMulti,
    labels: choices.map(({ label }) => label),
    nameOf: (text) => choices.find(({ value }) => `${value}` === text)?.label ?? text,
    valueOf(chosen) {
      const values = chosen.map(readOne);
      if (values.length === 0 || values.includes(undefined)) return undefined;
      return isMulti ? values : values[0];
    },
  };
}

const yesAndNo = [
  { label: "Yes", value: true },
  { label: "No", value: false },
];

/** `enum`, or titles of constants; those of a list are in its `items`. */
function listChoices(schema: Fields): { label: string; value: string | number | boolean }[] {
  const { enum: plain, oneOf, anyOf } = { ...asFields(schema["items"]), ...schema };
  const texts: unknown[] = Array.isArray(plain) ? plain : [];
  return [
    ...texts.flatMap((each) => asText(each) ?? asText(asFields(each)?.["label"]) ?? []),
    ...asFieldsList(oneOf ?? anyOf),
  ].flatMap((each) => {
    if (typeof each === "string") return { label: each, value: each };
    const { const: value, title } = each;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return [];
    return { label: asText(title) ?? String(value), value };
  });
}

/** The answer of each field in the result of a call: `User responded: A`, or `User responded: db=A, parts=x, y`. */
export function readAnswers(text: string, fields: readonly FormField[]): (string | null)[] {
  if (fields[0]?.key === "") return [text];
  const prefix = "User responded: ";
  if (!text.startsWith(prefix)) return fields.map(() => null);
  const said = text.slice(prefix.length);
  if (fields.length === 1) return [said];
  return splitByMarks(
    `, ${said}`,
    fields.map(({ key }) => `, ${key}=`),
  );
}
