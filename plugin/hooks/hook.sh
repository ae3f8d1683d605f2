#!/bin/bash -p
# hook.sh EVENT [HOST] < payload: writes the event into a file, rings the daemon's bell, prints its reply.
# Silent, always exits with 0, one fork (cat), bash 3.2 or newer. The reasons are in docs/hooks.md.
# -p ignores BASH_ENV and exported functions, which could print into the session or change the payload.
exec 2>/dev/null
trap 'exit 0' EXIT
trap '' PIPE XFSZ # a closed pipe or a file size limit must fail one write, not the hook
set +eu           # if started as `bash hook.sh`, an exported SHELLOPTS would turn them on
umask 077
LC_ALL=C # lengths are in bytes
[ -n "$2" ] && CLAUDE_PID=$PPID CLAUDE_ENV_FILE= # another host, perhaps started inside a session of Claude Code
event=$1 home=${ROOKERY_HOME:-~/.rookery}
id=${EPOCHREALTIME//[!0-9]/}.$$.$RANDOM$RANDOM
name=$event${2:+@$2}.$id
file=$home/spool/$name
cap=1
case $event in
  PermissionRequest) cap=5 ;; # the dialog is open in the meantime
  *ToolUse*) [ -n "$EPOCHREALTIME" ] && cap=0.5 ;; # before bash 5, timeouts are whole seconds
esac

# Data is passed in files, the socket only signals: another process on a stale port sees an opaque
# name, and cannot inject text into the session, because it can only answer with a length.
ring() { # 0 answered, 1 no daemon, 2 timed out, 3 the answer comes later, 4 nothing can be stored
  local port length reply exports status
  [ -e "$home/run/breaker" ] && [ "$event" != PermissionRequest ] && return 2
  read -r port <"$home/run/bell" && {
    SECONDS=0
    printf '%s\n' "$name" >&3 && read -r -t "$cap" -n 9 length <&3
    status=$?
    # bash 3.2 returns 1 for a timeout and for a closed connection: tell them apart by the time.
    [ $status -eq 1 ] && [ -z "$EPOCHREALTIME" ] && [ $SECONDS -ge $cap ] && status=142
    [ $status -gt 128 ] && { : >"$home/run/breaker"; return 2; } # the daemon removes it
    [ $status -eq 0 ] || return 1
    [ "$length" = full ] && return 4
    [ -e "$file" ] && return 1 # the daemon takes the file before it answers: this is another process
    [ "$length" = wait ] && return 3
    [ "$length" -gt 0 ] && IFS= read -r -d '' reply <"$home/reply/$id"
    [ ${#reply} -eq "$length" ] && printf '%s' "$reply"
    [ -n "$CLAUDE_ENV_FILE" ] && IFS= read -r -d '' exports <"$home/reply/$id.env"
    [ -n "$exports" ] && printf '%s' "$exports" >>"$CLAUDE_ENV_FILE"
    return 0
  } 3<>"/dev/tcp/127.0.0.1/$port"
}

# Limits the spool while no daemon reads it. du costs a fork, so only one call in 64 runs it.
limit_spool() {
  [ $((RANDOM % 64)) -eq 0 ] && set -- $(du -sk "$home/spool") && [ "$1" -gt 524288 ] && : >"$home/run/full"
}

# The daemon says when, once per session; it cannot write the text into a file.
warn_full() {
  printf '{"systemMessage":"Rookery cannot store anything (is the disk full?). Your session continues without memory until it can."}'
}

drop() { cat >/dev/null; exit 0; } # reads stdin to the end, so that the host does not get a broken pipe

case $event in '' | *[!A-Za-z]*) drop ;; esac # a host that ignores `args` passes no event
case $2 in *[!a-z-]*) drop ;; esac
[ -n "$ROOKERY_OFF" ] && drop
# Rookery was uninstalled while this session was running; the session keeps its hooks until it ends.
[ -e "$home/run/left" ] && read -r left <"$home/run/left" && case " $left " in *" $CLAUDE_PID "*) drop ;; esac
[ -d "$home/spool" ] || mkdir -p "$home/spool" "$home/reply" "$home/run"
[ -e "$home/run/full" ] && [ "$event" != SessionStart ] && printf . >>"$home/run/full" && drop
{ printf '%s\n' "$CLAUDE_PID" && cat; } >"$file" || {
  rm -f "$file"
  [ -d "$home/spool" ] || exit 0
  ring # the daemon counts the event and reads it from the transcript later
  case $?$event in 4* | 1SessionStart) warn_full ;; esac
  exit 0
}
ring && exit 0
case $?$event in
  4*) warn_full ;;
  1SessionStart) "${0%/*}/../bin/rookery" start --from-hook </dev/null >/dev/null 2>&1; ring ;;
  2SessionStart) "${0%/*}/../bin/rookery" start --from-hook </dev/null >/dev/null 2>&1 & ;;
  1PermissionRequest) # the daemon may be restarting; the dialog is open in the meantime
    for ((tries = 8; tries > 0; tries--)); do
      [ -e "$home/run/stopped" ] && break
      sleep 1 >/dev/null # it may outlive this script and must not keep the host's pipe open
      [ -e "$file" ] && kill -0 "${CLAUDE_PID:-$PPID}" || break
      ring
      case $? in 0) break ;; 3) . "${0%/*}/wait.sh"; break ;; esac
    done ;;
  3*) . "${0%/*}/wait.sh" ;;
  *) limit_spool ;;
esac
exit 0
