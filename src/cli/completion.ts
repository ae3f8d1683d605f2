import { type HelpView, isTopLevel } from "./help.ts";

export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** A script that completes commands, subcommands, options and values, made from the help texts. */
export function makeCompletion(shell: Shell, commands: readonly HelpView[]): string {
  return makers[shell](commands);
}

const makers: Record<Shell, (commands: readonly HelpView[]) => string> = { bash, zsh, fish };

/** More specific patterns first: `setup slack` before `setup`. */
function byLength(commands: readonly HelpView[]): HelpView[] {
  return commands.toSorted((a, b) => b.name.split(" ").length - a.name.split(" ").length);
}

/** A pattern for a shell `case` over the first two words. */
function pattern(view: HelpView): string {
  return isTopLevel(view) ? `"${view.name} "*` : `"${view.name}"`;
}

function choicesOf({ actions, options }: HelpView): { name: string; text: string }[] {
  return [...actions, ...options.map(({ name, text }) => ({ name: `--${name}`, text }))];
}

type Completes = HelpView["completes"][string];

/** The command that lists values held by the daemon. */
function valuesCommand(source: string): string {
  return `rookery completion values ${source}`;
}

/** Options with values, and the values as a word list for the shell. */
function valuesOf(
  { completes }: HelpView,
  ask: (command: string) => string,
): { option: string; words: string }[] {
  const write = (values: Completes): string =>
    typeof values === "string" ? ask(valuesCommand(values)) : values.join(" ");
  return Object.entries(completes).map(([option, values]) => ({ option, words: write(values) }));
}

function bash(commands: readonly HelpView[]): string {
  const cases = byLength(commands).map((view) => {
    const words = choicesOf(view).map(({ name }) => name);
    const values = valuesOf(view, (command) => `$(${command} 2>/dev/null)`);
    // The previous word decides, then whether the current one is an option.
    const rules = [
      ...values.flatMap(({ option, words: list }) => (option ? [`"--${option} "*) words="${list}" ;;`] : [])),
      ...values.flatMap(({ option, words: list }) =>
        option ? [] : [`*" -"*) ;;`, `*) words="$words ${list}" ;;`],
      ),
    ];
    const chosen = rules.length > 0 ? `; case "$prev $cur" in ${rules.join(" ")} esac` : "";
    return `    ${pattern(view)}) words="${words.join(" ")}"${chosen} ;;`;
  });
  return `# rookery completion bash: source this, or put it into ~/.bashrc as: source <(rookery completion bash)
_rookery() {
  local words= cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands
      .filter(isTopLevel)
      .map(({ name }) => name)
      .join(" ")}"
  else case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${cases.join("\n")}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _rookery rookery`;
}

function zsh(commands: readonly HelpView[]): string {
  const list = (pairs: { name: string; text: string }[]): string =>
    pairs.map(({ name, text }) => quote(`${name}:${text}`, "'\\''")).join(" ");
  const cases = byLength(commands).map((view) => {
    const values = valuesOf(view, (command) => `\${(f)"$(${command} 2>/dev/null)"}`);
    const byOption = values.flatMap(({ option, words }) =>
      option ? [`--${option}) choices=(${words}) ;;`] : [],
    );
    const others = values.flatMap(({ option, words }) => (option ? [] : [`*) choices+=(${words}) ;;`]));
    const chosen =
      values.length > 0 ? `; case "$words[CURRENT-1]" in ${[...byOption, ...others].join(" ")} esac` : "";
    return `    ${pattern(view)}) choices=(${list(choicesOf(view))})${chosen} ;;`;
  });
  const tops = commands.filter(isTopLevel).map(({ name, summary }) => ({ name, text: summary }));
  return `#compdef rookery
# rookery completion zsh: put it into ~/.zshrc, after compinit, as: source <(rookery completion zsh)
_rookery() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${list(tops)})
  else case "$words[2] $words[3]" in
${cases.join("\n")}
  esac; fi
  _describe rookery choices || _files
}
compdef _rookery rookery`;
}

function fish(commands: readonly HelpView[]): string {
  const text = (words: string): string => quote(words, "\\'");
  const lines = commands.flatMap((view) => {
    const [first, second] = view.name.split(" ");
    const seen = [first, second].flatMap((word) => (word ? [`__fish_seen_subcommand_from ${word}`] : []));
    const when = text(seen.join("; and "));
    const lists = new Map(
      valuesOf(view, (command) => `(${command})`).map(({ option, words }) => [option, words]),
    );
    return [
      ...(isTopLevel(view)
        ? [`complete -c rookery -n __fish_use_subcommand -a ${view.name} -d ${text(view.summary)}`]
        : []),
      ...view.actions.map((each) => `complete -c rookery -n ${when} -a ${each.name} -d ${text(each.text)}`),
      ...view.options.map(({ name, short, value, text: help }) => {
        const letter = short ? ` -s ${short}` : "";
        const values = lists.get(name);
        const list = values ? ` -fa ${text(values)}` : "";
        return `complete -c rookery -n ${when} -l ${name}${letter}${value ? " -r" : ""}${list} -d ${text(help)}`;
      }),
      ...(lists.has("") ? [`complete -c rookery -n ${when} -fa ${text(lists.get("") ?? "")}`] : []),
    ];
  });
  const head = "# rookery completion fish > ~/.config/fish/completions/rookery.fish";
  return [head, ...lines].join("\n");
}

function quote(text: string, escapedQuote: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", escapedQuote)}'`;
}
