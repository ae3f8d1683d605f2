export interface StreamMessage {
  id: string;
  event: string;
  data: string;
}

/** Parses server-sent events from chunks of any size. */
export function makeStreamReader(onMessage: (message: StreamMessage) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const message = readBlock(block);
      if (message) onMessage(message);
    }
  };
}

function readBlock(block: string): StreamMessage | undefined {
  const message: StreamMessage = { id: "", event: "message", data: "" };
  let hasData = false;
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "id") message.id = value;
    else if (field === "event") message.event = value;
    else if (field === "data") {
      message.data = hasData ? `${message.data}\n${value}` : value;
      hasData = true;
    }
  }
  return hasData ? message : undefined;
}
