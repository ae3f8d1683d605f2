import type { ComponentChildren, JSX } from "preact";
import { type Block, type ListItem, parseMarkdown } from "../data/markdown.ts";
import type { Inline } from "../data/markdown-inline.ts";
import { Portions } from "./text.tsx";

/** Beyond this, text is shown as it was written. */
const maxLength = 100_000;

/**
 * Untrusted Markdown, rendered to elements and never to HTML: no scripts, no styles, no pictures. Links only lead to
 * http, https and mail addresses, and show where they lead.
 */
export function Markdown({ text, class: name = "prose" }: { text: string; class?: string }) {
  return <Portions text={text} class={name} render={renderMarkdown} />;
}

function renderMarkdown(text: string): ComponentChildren {
  if (text.length > maxLength) return <p>{text}</p>;
  return renderBlocks(parseMarkdown(text), { level: titleLevel });
}

/** Headings in a text are below the title of the item. */
const titleLevel = 2;

/** The level of the last heading: no level is skipped, whatever the text does. */
interface Outline {
  level: number;
}

function renderBlocks(blocks: readonly Block[], outline: Outline): JSX.Element[] {
  return blocks.map((block, index) => renderBlock(block, index, outline));
}

function renderBlock(block: Block, key: number, outline: Outline): JSX.Element {
  switch (block.type) {
    case "paragraph":
      return (
        <p key={key} dir="auto">
          {renderInline(block.content)}
        </p>
      );
    case "heading": {
      outline.level = Math.min(titleLevel + block.level, outline.level + 1, 6);
      const Tag = `h${outline.level}` as "h3";
      return (
        <Tag key={key} class={`heading heading-${block.level}`} dir="auto">
          {renderInline(block.content)}
        </Tag>
      );
    }
    case "code":
      return (
        <div key={key} class="code">
          {block.info !== "" && <span class="code-info">{block.info}</span>}
          {block.text}
        </div>
      );
    case "quote":
      return (
        <div key={key} class="quoted">
          {renderBlocks(block.blocks, outline)}
        </div>
      );
    case "list": {
      const rows = block.items.map((item, index) => renderItem(item, index, outline));
      return block.isNumbered ? (
        <ol key={key} class="numbers">
          {rows}
        </ol>
      ) : (
        <ul key={key} class="bullets">
          {rows}
        </ul>
      );
    }
    case "table":
      return <Table key={key} {...block} />;
    default:
      return <hr key={key} />;
  }
}

function renderItem({ number, isDone, blocks }: ListItem, key: number, outline: Outline): JSX.Element {
  return (
    <li key={key} value={number} class={isDone === undefined ? undefined : "task-item"} dir="auto">
      {isDone !== undefined && <span class="task-box">{isDone ? "☑" : "☐"} </span>}
      {renderBlocks(blocks, outline)}
    </li>
  );
}

type TableProps = Extract<Block, { type: "table" }>;

/** A wide table scrolls on its own, also with the keyboard. */
function Table({ head, rows, align }: TableProps) {
  const alignOf = (column: number): string | undefined => align[column] && `align-${align[column]}`;
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col" class={alignOf(column)} dir="auto">
                {renderInline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={alignOf(column)} dir="auto">
                  {renderInline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderInline(parts: readonly Inline[]): ComponentChildren[] {
  return parts.map((part, index) => {
    if (typeof part === "string") return part;
    switch (part.type) {
      case "code":
        return <code key={index}>{part.text}</code>;
      case "strong":
        return <strong key={index}>{renderInline(part.content)}</strong>;
      case "emphasis":
        return <em key={index}>{renderInline(part.content)}</em>;
      case "both":
        return (
          <strong key={index}>
            <em>{renderInline(part.content)}</em>
          </strong>
        );
      case "deleted":
        return <del key={index}>{renderInline(part.content)}</del>;
      default:
        return <Link key={index} {...part} />;
    }
  });
}

const maxTarget = 80;

/** Shows the target unless the text is the target itself: the text of a link can claim anything. */
function Link({ content, target, href }: { content: Inline[]; target: string; href: string | undefined }) {
  const isTarget =
    content.length === 0 || (content.length === 1 && [target, href].includes(content[0] as string));
  const shown = href ?? target;
  const where = shown.length > maxTarget ? `${shown.slice(0, maxTarget)}…` : shown;
  return (
    <bdi>
      {href === undefined ? (
        renderInline(content)
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
          {isTarget ? where : renderInline(content)}
        </a>
      )}
      {!isTarget && <span class="link-target"> ({where})</span>}
    </bdi>
  );
}
