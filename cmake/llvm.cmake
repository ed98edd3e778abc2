# LLVM 19 by its C API, and the clang 19 that compiles programs and models.
# Sets LLVM_INCLUDE, LLVM_LIBRARY, LLVM_PARTS, LLVM_NM_19, CLANG_19, CLANG_19_RESOURCES.
find_program(LLVM_CONFIG_19 NAMES llvm-config-19)
find_program(CLANG_19 NAMES clang-19)
if(NOT LLVM_CONFIG_19 OR NOT CLANG_19)
  message(FATAL_ERROR "clang-19 or llvm-19-dev is missing: run scripts/install-dependencies")
endif()
function(llvm_config option out)
  execute_process(COMMAND ${LLVM_CONFIG_19} ${option} OUTPUT_VARIABLE text
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
llvm_config(--includedir LLVM_INCLUDE)
llvm_config(--libdir LLVM_LIBRARY_DIR)
llvm_config(--bindir LLVM_PROGRAMS)
find_program(LLVM_NM_19 NAMES llvm-nm HINTS ${LLVM_PROGRAMS} NO_DEFAULT_PATH REQUIRED)
find_library(LLVM_LIBRARY NAMES LLVM-19 HINTS ${LLVM_LIBRARY_DIR} REQUIRED)

# What of LLVM is used, as static libraries, and what they need: to find, bind and relocate all of the
# shared one takes 8 of the 44 ms of CPU in which a small program is checked.
set(LLVM_PARTS)
execute_process(COMMAND ${LLVM_CONFIG_19} --link-static --libfiles analysis bitreader bitwriter core irreader
  linker native orcjit passes OUTPUT_VARIABLE files ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG_19} --link-static --system-libs
  OUTPUT_VARIABLE others ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(files AND others)
  separate_arguments(LLVM_PARTS UNIX_COMMAND "${files} ${others} -lstdc++")
endif()

execute_process(COMMAND ${CLANG_19} -print-resource-dir OUTPUT_VARIABLE CLANG_19_RESOURCES
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
