#!/usr/bin/env bash
# Times commands for the bench. A small shell forks in a fraction of what a fork of Node costs, so what it
# measures is the command: from fork to reaped, stdin a pipe that already holds the payload.
# In, one line each: `time KEY BYTES FILE` or `cpu KEY BYTES FILE…`, the words of the command being the
# lines of WORK/KEY.command. Out: `<microseconds> <exit code>`, or the children's `times` before and after.
exec 8<&0 9>&1 </dev/null >/dev/null
work=$1

time_once() {
  local start end code
  exec 5< <(exec cat "$file")
  # What fits into any pipe is there before the clock starts; what does not is written while it is read.
  if [ "$bytes" -le 16000 ]; then wait $!; else sleep 0.01; fi
  start=$EPOCHREALTIME
  "${command[@]}" <&5 >"$work/out" 2>&1 5<&- 8<&- 9>&-
  code=$? end=$EPOCHREALTIME
  exec 5<&-
  printf '%s %s\n' $((${end/./} - ${start/./})) $code >&9
}

add_up_cpu() {
  times >"$work/before"
  for file in $file; do "${command[@]}" <"$file" >"$work/out" 2>&1 8<&- 9>&-; done
  times >"$work/after"
  local before after
  { read -r; read -r before; } <"$work/before"
  { read -r; read -r after; } <"$work/after"
  printf '%s %s\n' "$before" "$after" >&9
}

while read -r verb key bytes file <&8; do
  mapfile -t command <"$work/$key.command"
  case $verb in
    time) time_once ;;
    cpu) add_up_cpu ;;
  esac
done
