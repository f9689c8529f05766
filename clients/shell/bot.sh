#!/usr/bin/env bash
# A bot with bash and curl alone: posts the first lawful act of every prompt.
#
#   clients/shell/bot.sh NAME        registers unless REFEREE_TOKEN is set; REFEREE_URL says where
#
# JSON is read by pattern, which is enough because acts are flat objects and every prompt has its
# match, version and lawful acts, whatever their order: the first of each belong together. Lost replies, 5xx, 429 and
# restarts are ridden out by curl with the same Idempotency-Key.
set -euo pipefail

url=${REFEREE_URL:-http://127.0.0.1:8066}
url=${url%/}
name=${1:-shell}
space='[[:space:]]*'
first_act="\"lawful\"$space:$space\\[$space(\\{[^{}]*\\})"
of_match="\"match\"$space:$space\"([^\"]+)\""
of_version="\"version\"$space:$space([0-9]+)"
of_token="\"token\"$space:$space\"([^\"]+)\""
of_id="\"id\"$space:$space\"(bot_[^\"]+)\""

scratch=$(mktemp -d)
stopped='' polling='' child=''
trap 'rm -rf "$scratch"' EXIT
# A long poll is cut short; an act on its way still gets its reply.
trap 'stopped=1; [[ -z $polling ]] || kill "$child" 2>/dev/null || true' INT TERM

# ask TIMEOUT ARGUMENT...: one request, repeated until it is answered; sets reply and status.
ask() {
  local limit=$1
  shift
  : >"$scratch/reply"
  # In the background, because bash runs no trap while it waits for a command in front.
  curl --silent --show-error --max-time "$limit" --connect-timeout 5 --retry 30 --retry-max-time 600 \
    --retry-connrefused --retry-all-errors --header 'Accept: application/json' \
    --output "$scratch/reply" --write-out '%{http_code}' "$@" >"$scratch/status" 2>"$scratch/trouble" &
  child=$!
  # Asked to stop just before the poll began, when there was nothing to cut short yet.
  [[ -z $stopped || -z $polling ]] || kill "$child" 2>/dev/null || true
  while kill -0 "$child" 2>/dev/null; do wait "$child" || true; done
  reply=$(<"$scratch/reply")
  status=$(<"$scratch/status")
}

fresh_key() {
  if [[ -r /proc/sys/kernel/random/uuid ]]; then
    read -r key </proc/sys/kernel/random/uuid
  else
    key=$$-$SECONDS-$RANDOM$RANDOM$RANDOM$RANDOM
  fi
}

token=${REFEREE_TOKEN:-}
if [[ -z $token ]]; then
  fresh_key
  ask 10 --header 'Content-Type: application/json' --header "Idempotency-Key: $key" \
    --data "{\"name\":\"$name\",\"transport\":\"pull\",\"language\":\"shell\",\"version\":\"1\"}" "$url/v1/bots"
  if ! [[ $reply =~ $of_token ]]; then
    echo "$name: not registered: $status $reply $(<"$scratch/trouble")" >&2
    exit 70
  fi
  token=${BASH_REMATCH[1]}
  [[ $reply =~ $of_id ]] && echo "${BASH_REMATCH[1]} $name"
fi
# In a file of ours alone, so that the token stands in no list of processes.
(umask 077 && printf 'header = "Authorization: Bearer %s"\n' "$token" >"$scratch/token")

# rest_of TEXT PART...: sets rest to what follows the last of the parts in the text.
rest_of() {
  local text=$1 part after
  shift
  rest=$text
  for part in "$@"; do
    after=${text#*"$part"}
    ((${#after} >= ${#rest})) || rest=$after
  done
}

refused=0 last=''
fresh_key
run=$key

# answer MATCH VERSION ACT: posts the act, with the version added, as the answer to a prompt.
answer() {
  local match=$1 version=$2 act=$3
  # One key for each question, made from it: a prompt delivered twice is answered with the same request.
  key="$run-$match-$version-$refused-${act//[^[:alnum:]]/}"
  [[ $key != "$last" ]] || sleep 0.2
  last=$key
  while
    ask 5 --config "$scratch/token" --header 'Content-Type: application/json' \
      --header "Idempotency-Key: $key" --data "{\"version\":$version,${act#\{}" "$url/v1/matches/$match/acts"
    [[ $reply == *key/in_progress* ]]
  do sleep 0.2; done
  if [[ $status == 200 || $reply =~ (act/(stale_version|too_late|match_over|election_pending)|match/unknown) ]]; then
    refused=0
  elif [[ $status == 4* ]]; then
    echo "$name: $act was refused: $reply" >&2
    refused=$((refused + 1))
    if ((refused == 3)); then exit 70; fi
  fi
}

while [[ -z $stopped ]]; do
  polling=1
  ask 40 --config "$scratch/token" "$url/v1/turns?wait=25"
  polling=''
  if [[ $status == 401 ]]; then
    echo "$name: the token is not known: $reply" >&2
    exit 70
  fi
  [[ -n $stopped || $status == 200 ]] || sleep 1
  prompts=$reply
  while [[ -z $stopped && $prompts =~ $first_act ]]; do
    act=${BASH_REMATCH[1]} acts=${BASH_REMATCH[0]}
    [[ $prompts =~ $of_match ]] && match=${BASH_REMATCH[1]} matched=${BASH_REMATCH[0]}
    [[ $prompts =~ $of_version ]] && version=${BASH_REMATCH[1]} versioned=${BASH_REMATCH[0]}
    rest_of "$prompts" "$acts" "$matched" "$versioned"
    prompts=$rest
    answer "$match" "$version" "$act"
  done
done
