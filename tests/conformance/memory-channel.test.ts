import { openMemoryService } from "../support/memory-channel.ts";
import { describeChannel } from "./channel-contract.ts";

describeChannel("in-memory", async () => openMemoryService());
