#!/bin/sh
# Starts rooftile's worker on another machine through ssh, as the user has set it up there:
#   on_host.sh WORKER DATA HOST [ARGUMENT...]
# WORKER is this machine's rooftile-worker, DATA the folder that holds assets/ and kernels/. What the other machine does not have yet
# is copied first, under a name made of its contents; folders of own kernels (--kernels FOLDER) whenever they change, with their
# sources and the headers that these include, at the same places in a tree.
# Below ~/.cache/rooftile there: workers/NAME, own/NAME. Ends with 255 if the connection is lost, else with the worker's status.
set -eu
worker=$1 data=$2 host=$3
shift 3

say() { printf 'rooftile: %s\n' "$*" >&2; }
options="-T -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
# shellcheck disable=SC2086 # words
there() { ssh $options "$@"; }
name_of() { sha256sum | cut -c1-24; }

# The libraries that are not the C library's own; they are older or missing there.
libraries() { ldd "$worker" | awk '$3 ~ /^\// { print $3 }' | grep -Ev '/lib(c|m|dl|pthread|rt|resolv)\.so' || true; }
# What the worker reads, relative to DATA.
files() { (cd "$data" && find kernels assets -type f \( -name '*.cu*' -o -name '*.toml' -o -name '*.h*' -o -name 'compiled.jsonl' \) | sort); }

pack() {
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  mkdir "$place/lib"
  cp "$worker" "$place/rooftile-worker"
  for library in $(libraries); do cp -L "$library" "$place/lib/"; done
  cat >"$place/run" <<'TXT'
#!/bin/sh
# run has NAME CONTENTS: whether a folder of kernels is there.  run take NAME CONTENTS <TAR: puts it there.
# run worker ARGUMENT...: the worker; not by exec, so that ssh can tell a signal that ends it from a lost connection.
here=$(cd "$(dirname "$0")" && pwd)
own=$here/../../own
mode=$1
shift
case $mode in
has) test "$(cat "$own/$1/.contents" 2>/dev/null)" = "$2" && exit || exit 1 ;;
take)
  umask 077
  mkdir -p "$own" && cd "$own" && rm -rf "$1.part" && mkdir "$1.part" && tar -C "$1.part" -xzf - && echo "$2" >"$1.part/.contents" &&
    mkdir "$1.part/.git" && # headers are looked for in the whole tree, as in a repository
    rm -rf "$1" && mv "$1.part" "$1"
  exit
  ;;
esac
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ROOFTILE_DATA=$here "$here/rooftile-worker" "$@"
exit $?
TXT
  chmod +x "$place/run" "$place/rooftile-worker"
  files | (cd "$data" && tar -cf - -T -) | tar -C "$place" -xf -
  tar -C "$place" -czf - .
}

name=$({ cat "$worker" "$0" $(libraries); files; files | (cd "$data" && tr '\n' '\0' | xargs -0 cat); } | name_of)
home=.cache/rooftile/workers/$name
status=0
there -n "$host" "sh -c 'test -x $home/run'" || status=$?
if [ "$status" -eq 255 ]; then
  exit 255
elif [ "$status" -ne 0 ]; then
  say "the worker is copied to $host"
  part=$home.part-$$
  pack | there "$host" "sh -c 'umask 077; mkdir -p $part && tar -C $part -xzf - && mv -T $part $home || { rm -rf $part; test -x $home/run; }'"
fi

# send_own FOLDER: prints where it is there; nothing for a folder without kernels.
send_own() {
  listed=$("$worker" --files "$1") || exit 1
  root=$(printf '%s\n' "$listed" | head -n 1)
  sent=$(printf '%s\n' "$listed" | tail -n +2 | sed 's|^|./|') # no name is an option of tar's
  [ -n "$sent" ] || return 0
  folder=${1#"${root%/}"/}
  case $folder in *[!A-Za-z0-9/._+-]*)
    say "the folder $folder cannot be sent: give it a name of letters, digits and . _ + -"
    exit 1
    ;;
  esac
  cd "$root"
  own=$(printf '%s' "$(uname -n):$1" | name_of)
  contents=$({ echo "$sent"; printf '%s\n' "$sent" | tr '\n' '\0' | xargs -0 cat; } | name_of)
  there -n "$host" "sh $home/run has $own $contents" ||
    printf '%s\n' "$sent" | tar -czf - -T - | there "$host" "sh $home/run take $own $contents" || exit $?
  printf '.cache/rooftile/own/%s/%s' "$own" "$folder"
}

words=
while [ $# -gt 0 ]; do
  case $1 in
  --kernels)
    there_too=$(send_own "$2")
    words="$words${there_too:+ --kernels $there_too}"
    shift 2
    ;;
  *)
    words="$words $1"
    shift
    ;;
  esac
done
# shellcheck disable=SC2086 # words
exec ssh $options "$host" "sh $home/run worker$words"
