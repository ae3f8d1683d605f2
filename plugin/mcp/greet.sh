#!/bin/bash -p
# greet.sh COMMAND…: answers a host's first MCP requests, and becomes COMMAND, the server, at the first one that needs it.
# A session waits for these answers: Node starts 20 times as slowly as this shell, and takes 15 times the memory.
# -p ignores BASH_ENV and exported functions, whose output would be read as messages.
exec 4>&2 2>/dev/null
set +eu      # if started as `bash greet.sh`, an exported SHELLOPTS would turn them on
unset TMOUT  # without -t, read takes it as its timeout
LC_ALL=C     # input may stop in the middle of a character
max=8192     # bytes: a shell reads a pipe byte by byte: 15 s for a megabyte
home=${ROOKERY_HOME:-~/.rookery}
root=${0%/*}/..
greeted= rest= line=

become_server() {
  # An upgrade deletes the build of a session that is old enough.
  [ -e "$root/bin/rookery" ] || set -- sh "$home/app/current/plugin/bin/rookery" mcp
  [ -n "$greeted" ] && set -- "$@" greeted || set -- "$@" pending
  [ ${#line} -eq $max ] && set -- "$@" partial # the rest of the message is still in the pipe
  exec "$@" 3<<<"$greeted$rest" 2>&4 4>&-
}

is_daemon_alive() {
  local facts
  IFS= read -r facts <"$home/daemon.json" || [ -n "$facts" ] || return 1
  [[ $facts =~ \"pid\":([0-9]+) ]] && kill -0 "${BASH_REMATCH[1]}"
}

is_stopped() { [ -e "$home/run/stopped" ] || [ ! -d "$home/run" ]; } # by the user, or uninstalled

answer() { # method, id; fails if only the server can
  local result version
  case $1 in
    initialize)
      [[ $rest =~ \"params\":\{\"protocolVersion\":\"([0-9-]+)\" ]] || return 1
      version=${BASH_REMATCH[1]}
      case " $versions " in *" $version "*) ;; *) version=$latest ;; esac
      result="{\"protocolVersion\":\"$version\",$initialized}"
      greeted=$rest$'\n'
      ;;
    tools/list) result=$listed ;;
    ping) result={} ;;
    server/discover) # asked first by hosts of a newer protocol, which then initialize the one that we speak
      printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$2"
      return
      ;;
    *) return 1 ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$2" "$result"
}

{ read -r versions && read -r latest && read -r initialized && read -r listed; } <"$root/dist/greeting" || become_server "$@"
is_daemon_alive || [ -e "$home/run/stopped" ] || become_server "$@" # which starts it
id='([0-9]+|"[A-Za-z0-9_-]+")' method='"([a-z/]+)"'
# A message begins or ends with these fields, so they are not those of an inner object.
first="^\{\"jsonrpc\":\"2.0\",\"id\":$id,\"method\":$method[,}]" last="^\{\"method\":$method(,.*)?,\"jsonrpc\":\"2.0\",\"id\":$id\}\$"
missing=0
while :; do
  # Before bash 4, a read that times out loses its input.
  IFS= read -r -n $max ${EPOCHREALTIME:+-t 2} line
  status=$?
  rest=$rest$line
  if [ $status -gt 128 ]; then
    # A daemon that is being restarted is missing once.
    if is_daemon_alive || is_stopped; then missing=0; else ((++missing > 1)) && [ -z "$rest" ] && become_server "$@"; fi
    continue
  fi
  [ $status -eq 0 ] || exit 0 # the host ended
  if [ ${#line} -eq $max ] || [ ${#greeted} -gt $max ]; then become_server "$@"
  elif [[ $rest =~ $first ]]; then answer "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}" || become_server "$@"
  elif [[ $rest =~ $last ]]; then answer "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]}" || become_server "$@"
  elif [[ $rest == *'"id"'* ]] || [ -z "$greeted" ]; then become_server "$@"
  else greeted=$greeted$rest$'\n' # a notification
  fi
  [ -z "$EPOCHREALTIME" ] && [[ $rest == *'"tools/list"'* ]] && rest= && become_server "$@"
  rest=
done
