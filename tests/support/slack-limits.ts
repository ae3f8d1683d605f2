/** Checks Slack's documented block limits, which the emulator does not enforce. Returns Slack's error code. */
export function findOffence(blocks: any[] | undefined): string | undefined {
  if (blocks === undefined) return undefined;
  if (blocks.length > 50) return "invalid_blocks: more than 50 blocks";
  let characters = 0;
  const ids = new Set<string>();
  const offences: string[] = [];
  const bound = (what: string, text: unknown, max: number): void => {
    if (typeof text === "string" && text.length > max)
      offences.push(`invalid_blocks: ${what} has ${text.length}`);
  };
  for (const block of blocks) {
    if (block.block_id !== undefined) {
      bound("block_id", block.block_id, 255);
      if (ids.has(block.block_id)) offences.push("invalid_blocks: block_id twice");
      ids.add(block.block_id);
    }
    if (block.type === "actions" && (block.elements.length === 0 || block.elements.length > 25))
      offences.push(`invalid_blocks: ${block.elements.length} elements`);
    if (block.type === "header") bound("header", block.text.text, 150);
    if (block.type === "context" && block.elements.length > 10) offences.push("invalid_blocks: context");
  }
  walk(blocks, (node) => {
    if (node.type === "plain_text" || node.type === "mrkdwn" || node.type === "text") {
      characters += String(node.text).length;
      bound("text", node.text, 3_000);
      if (node.text === "") offences.push("invalid_blocks: empty text");
    }
    bound("action_id", node.action_id, 255);
    if (node.type === "button") {
      bound("button text", node.text.text, 75);
      bound("button value", node.value, 2_000);
    }
    if (["checkboxes", "radio_buttons"].includes(node.type) && node.options.length > 10)
      offences.push(`invalid_blocks: ${node.options.length} boxes`);
    if (String(node.type).endsWith("select") && node.options.length > 100)
      offences.push(`invalid_blocks: ${node.options.length} options`);
    for (const option of node.options ?? []) {
      bound("option text", option.text.text, 75);
      bound("option value", option.value, 150);
    }
  });
  if (characters > 13_000) offences.push("msg_blocks_too_long");
  return offences[0];
}

/** Every object in a tree. */
export function walk(node: any, visit: (node: any) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) visit(node);
  for (const child of Object.values(node)) walk(child, visit);
}
