#!/bin/sh
# install.sh: what is installed works from where it is installed: command, manual, completions,
# library with pkg-config, examples, Python. With PACKAGES=1 also the packages that CPack makes.
# PROVISO names the program to test; its folder is the build.
. "$(dirname "$0")/common/shell.sh"
build=$(dirname "$PROVISO")
if [ ! -e "$build/libproviso.so" ] || sanitized; then
  echo "no shared library in this build: skipped"
  finish
fi
cd "$work" || exit 2

run() {
  timeout 120 "$@" >out 2>err
  status=$?
}
said() { grep -q -e "$1" out; }
not() { ! "$@"; }

# ---- cmake --install -------------------------------------------------------------------------------
run cmake --install "$build" --prefix "$work/usr"
check "cmake --install" is "$status" 0
mv usr moved # nothing in it may know where it was
here=$work/moved
lib=$(dirname "$(find "$here" -name 'libproviso.so.0')")
cat >race.c <<'END_'
#include <pthread.h>
int x;
static void *work(void *unused) { x++; return unused; }
int main(void) {
  pthread_t t;
#if N > 1
  pthread_create(&t, 0, work, 0);
  x++;
  pthread_join(t, 0);
#endif
  return 0;
}
END_
run "$here/bin/proviso" check race.c -- -DN=2
check "the command runs" is "$status" 10
check "its verdict" said '^Verification result: false(no-data-race)'
run "$here/bin/proviso" check race.c -- -DN=1
check "its twin" is "$status" 0
for page in proviso proviso-check proviso-ci; do
  command -v man >/dev/null || continue
  run man -l --warnings "$here/share/man/man1/$page.1"
  check "manual: $page" is "$status$(grep -c . err)" 00
done
run "$here/bin/proviso" manual nothing
check "no such page" is "$status" 2
run bash -c '. "$0"; COMP_WORDS=(proviso check --eng); COMP_CWORD=2; _proviso; echo "${COMPREPLY[@]}"
  COMP_WORDS=(proviso check --engine d); COMP_CWORD=3; _proviso; echo "${COMPREPLY[@]}"
  COMP_WORDS=(proviso rep); COMP_CWORD=1; _proviso; echo "${COMPREPLY[@]}"' \
  "$here/share/bash-completion/completions/proviso"
check "completion of bash" is "$(tr '\n' ';' <out)" "--engine;dpor;replay;"
for shell in zsh fish; do
  command -v $shell >/dev/null || continue
  run $shell -n "$(find "$here/share/$shell" -type f)"
  check "completion of $shell" is "$status" 0
done
"$PROVISO" help | sed -n 's/^  proviso \([a-z]*\) .*/\1/p' | grep -v -e help -e completion -e manual | sort >commands
find "$here/share/man" -name 'proviso-*' | sed 's/.*proviso-//; s/\.1$//' | sort >pages
check "a page for each command" cmp commands pages

# ---- the pages of the C API: everything public is documented -----------------------------------------
if command -v doxygen >/dev/null; then
  run sh "$root/scripts/api-docs" "$work/api"
  check "api-docs" is "$status" 0
  check "a page for the header" test -s "$work/api/html/proviso_8h.html"
  mkdir undocumented
  sed '/^ \* @param i its number, from 0$/d' "$root/include/proviso.h" >undocumented/proviso.h
  run sh "$root/scripts/api-docs" "$work/api2" undocumented/proviso.h
  check "a parameter without a word" not is "$status" 0
  check "which one" grep -q "proviso_get_violation" err
fi

# ---- the library -----------------------------------------------------------------------------------
PKG_CONFIG_PATH=$lib/pkgconfig
export PKG_CONFIG_PATH
flags="-I$here/include -L$lib -lproviso"
if command -v pkg-config >/dev/null; then
  flags=$(pkg-config --cflags --libs proviso)
  echo "$flags" >out
  check "pkg-config finds it" said '-lproviso'
fi
LD_LIBRARY_PATH=$lib
export LD_LIBRARY_PATH
for example in verdict least_threads; do
  # shellcheck disable=SC2086
  run "$CC" -std=c11 -Wall -Werror "$root/examples/api/$example.c" $flags -o $example
  check "example $example compiles" is "$status" 0
done
run ./verdict race.c
check "example verdict, correct" is "$(cat out)" true
sed 's/#if N > 1/#if 1/' race.c >always.c
run ./verdict always.c
check "example verdict, wrong" is "$(head -n 1 out)" "false(no-data-race)"
run ./verdict absent.c
check "example verdict, no file" is "$status" 2
run ./least_threads race.c
check "example least_threads" is "$status$(tr '\n' ' ' <out)" "10N = 1: true N = 2: false(no-data-race) "
nm -D --defined-only "$lib/libproviso.so.0" | sed -n 's/.* T \([a-z_]*\).*/\1/p' | sort >exported
grep -o '[ *]proviso_[a-z_]*(' "$here/include/proviso.h" | tr -d ' *(' | sort >declared
check "exported is what the header declares" cmp exported declared

cat >use.py <<'END_'
import sys
sys.path.insert(0, sys.argv[1])
import proviso
r = proviso.check("race.c", clang=["-DN=2"], property="no-data-race", keep_going=True)
assert r.line == "false(no-data-race)" and r.verdict == "false" and r.violations, r.line
assert "race.c:" in r.violations[0] and r.json["verdict"] == "false" and r.states > 1
r = proviso.check("race.c", clang=["-DN=1"])
assert r.line == "true" and not r.violations and not r.provisos and r.harness is None
r = proviso.check("race.c", clang=["-DN=2"], property="unreach-call", engine="explicit", limit="states=3")
assert r.verdict in ("conditional", "unknown") and len(r.provisos) == 1, r.line
for wrong in ({"engine": "warp"}, {"nothing": 1}):
    try:
        proviso.check("race.c", **wrong)
        assert False
    except proviso.Error as e:
        assert "option" in str(e)
try:
    proviso.check("absent.c")
    assert False
except proviso.Error:
    pass
print(proviso.version())
END_
PROVISO_LIBRARY=$lib/libproviso.so.0
export PROVISO_LIBRARY
run python3 use.py "$here/share/proviso"
check "Python" is "$status$(grep -c '^[0-9]*\.' out)" 01
unset LD_LIBRARY_PATH PROVISO_LIBRARY

# ---- packages --------------------------------------------------------------------------------------
if [ -n "${PACKAGES:-}" ]; then
  run cpack --config "$build/CPackConfig.cmake" -B "$work/packages" -G "DEB;TGZ"
  check "cpack" is "$status" 0
  deb=$(find packages -maxdepth 1 -name '*.deb')
  archive=$(find packages -maxdepth 1 -name '*.tar.gz')
  mkdir root unpacked
  dpkg-deb -x "$deb" root
  dpkg-deb -f "$deb" Depends >out
  check "the package depends on clang" grep -q 'clang-19' out
  run root/usr/bin/proviso check race.c -- -DN=2
  check "the package's command" is "$status" 10
  tar -xzf "$archive" -C unpacked
  run "$(find unpacked -path '*bin/proviso')" check race.c -- -DN=1
  check "the archive's command" is "$status" 0
fi
finish
