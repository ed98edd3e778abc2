#!/bin/sh
# about.sh PROVISO FOLDER: writes the manual pages and the completions.
set -eu
rm -rf "$2"
mkdir -p "$2/man1"
"$1" manual >"$2/man1/proviso.1"
for command in $("$1" manual --commands); do "$1" manual "$command" >"$2/man1/proviso-$command.1"; done
for shell in bash zsh fish; do "$1" completion $shell >"$2/completion.$shell"; done
