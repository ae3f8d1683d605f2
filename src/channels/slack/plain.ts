import { showInvisible } from "../show-invisible.ts";

/** For the push preview, the only field that Slack parses as markup: one line without mentions or links. */
export function escapeText(text: string): string {
  return showInvisible(text)
    .replace(/\s+/g, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

/** A link keeps its address unless the text is the address. Mentions have no address. */
function unwrapLink(_link: string, address: string, text: string): string {
  const isAddress =
    address.replace(/^(?:https?:\/\/|mailto:|tel:)/, "").replace(/\/$/, "") === text.replace(/\/$/, "");
  return isAddress || address === text || /^[@#!]/.test(address) ? text : `${text} (${address})`;
}

/** The text as typed: unwraps links and restores the three characters that Slack escapes. */
export function unescapeText(text: string): string {
  return text
    .replace(/<([^<>|]+)\|([^<>]*)>/g, unwrapLink)
    .replace(/<([^<>]+)>/g, "$1")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}
