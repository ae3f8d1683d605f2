import { useEffect, useMemo, useState } from "preact/hooks";
import type { AgentView } from "../../../protocol/api.ts";
import type { MessageView, RoomView } from "../../../protocol/mail.ts";
import { useConversation } from "../../data/conversation.ts";
import { useKeys } from "../../data/keys.ts";
import { markRead, setMuted } from "../../data/mail.ts";
import { makeHash } from "../../data/route.ts";
import { showError } from "../../data/toasts.ts";
import { revealInvisible } from "../../data/format.ts";
import { Loading } from "../../parts/empty.tsx";
import { Line, OnBranch } from "../../parts/text.tsx";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";

interface ConversationProps {
  /** From the address: a room id or an agent name. */
  name: string;
  /** Undefined for an agent without a direct room yet. */
  room: RoomView | undefined;
  agent: AgentView | undefined;
  isSideOpen: boolean;
  onSide(): void;
}

const statusWords: Record<AgentView["status"], string> = {
  working: "working",
  waiting: "waiting for you",
  idle: "idle",
  gone: "gone; reads your messages when its session is resumed",
};

export function Conversation({ name, room, agent, isSideOpen, onSide }: ConversationProps) {
  const conversation = useConversation(room?.id ?? name, agent?.name);
  const [quoted, setQuoted] = useState<MessageView | undefined>();
  const { entries, error, reload, hasEarlier } = conversation;
  const unread = room ? room.unread + room.chatter : 0;
  const title = agent?.name ?? room?.partner ?? room?.name ?? name;
  useEffect(() => {
    const read = (): void => {
      if (room && unread > 0 && !document.hidden) markRead(room).catch(showError);
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [room?.id, unread]);
  const list = useMemo(
    () => entries && <MessageList {...conversation} entries={entries} onReply={setQuoted} />,
    [entries, hasEarlier],
  );

  return (
    <>
      <header class="talk-head">
        <a class="back" href={makeHash("rooms")}>
          ← All rooms
        </a>
        <div class="talk-title">
          <h2>
            {!agent && room?.kind !== "direct" && <span class="faint">#</span>}
            <Line text={title} />
          </h2>
          {room?.isYours && <Mute room={room} />}
          <button type="button" class="quiet side-switch" aria-expanded={isSideOpen} onClick={onSide}>
            {isSideOpen ? "Messages" : "Tasks, leases"}
          </button>
        </div>
        {agent && <AgentLine agent={agent} />}
        {room?.detail && (
          <p class="faint">
            <Line text={room.detail} />
          </p>
        )}
        {room?.isYours === false && (
          <p class="faint">
            A room between two agents: you can read it but not write here. Message either agent directly.
          </p>
        )}
      </header>
      {!entries && <Loading error={error} />}
      {list}
      {entries && room?.isYours !== false && (
        <Composer
          to={agent?.name ?? room?.id ?? name}
          label={revealInvisible(title)}
          isForMany={!agent && room?.kind !== "direct"}
          {...{ entries, quoted }}
          onQuoteCleared={() => setQuoted(undefined)}
          onSent={reload}
        />
      )}
    </>
  );
}

/** Stored in the daemon, so that it is the same in every browser and in the terminal. */
function Mute({ room }: { room: RoomView }) {
  const { isMuted } = room;
  const toggle = (): void => void setMuted(room, !isMuted).catch(showError);
  useKeys({ m: toggle }, [room.id, isMuted]);
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={isMuted}
      title="Messages in a muted room are not counted in the navigation"
      onClick={toggle}
    >
      {isMuted ? "Unmute" : "Mute"} <kbd aria-hidden="true">m</kbd>
    </button>
  );
}

function AgentLine({ agent: { status, focus, branch, project, session } }: { agent: AgentView }) {
  return (
    <p class="faint talk-agent">
      <span class={`dot dot-${status}`} aria-hidden="true" /> {statusWords[status]} · <Line text={project} />
      <OnBranch branch={branch} />
      {focus && (
        <>
          {" "}
          · <Line text={focus} />
        </>
      )}
      {session && (
        <>
          {" "}
          · <a href={makeHash("sessions", session)}>session</a>
        </>
      )}
    </p>
  );
}
