import { asFields, asFieldsList, asText, type Fields } from "../fields.ts";

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
    nameOf: (text) => choices.find(({ value }) => String(value) === text)?.label ?? text,
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
function listChoices(schema: Fields): { label: string; value: unknown }[] {
  const { enum: plain, oneOf, anyOf } = { ...asFields(schema["items"]), ...schema };
  const texts: unknown[] = Array.isArray(plain) ? plain : [];
  return [
    ...texts.flatMap((each) => asText(each) ?? asText(asFields(each)?.["label"]) ?? []),
    ...asFieldsList(oneOf ?? anyOf),
  ].flatMap((each) => {
    if (typeof each === "string") return { label: each, value: each };
    const { const: value, title } = each;
    return value === undefined ? [] : { label: asText(title) ?? String(value), value };
  });
}

/** The answers in the result of a call, by key: `User responded: A`, or `User responded: db=A, parts=x, y`. */
export function readContent(text: string, fields: readonly FormField[]): Map<string, string> {
  const [first] = fields;
  if (first?.key === "") return new Map([["", text]]);
  const prefix = "User responded: ";
  if (!text.startsWith(prefix)) return new Map();
  const said = text.slice(prefix.length);
  if (fields.length === 1 && first) return new Map([[first.key, said]]);
  const starts = fields.flatMap(({ key }) => {
    const at = `, ${said}`.indexOf(`, ${key}=`);
    return at < 0 ? [] : [{ key, at }];
  });
  const ordered = starts.toSorted((a, b) => a.at - b.at);
  return new Map(
    ordered.map(({ key, at }, n) => {
      const next = ordered[n + 1]?.at;
      return [key, said.slice(at + key.length + 1, next === undefined ? undefined : next - 2)];
    }),
  );
}
