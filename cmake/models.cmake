# The models of the C library (models/*.c) become bitcode for both data models, which the library
# carries inside itself. Sets PROVISO_MODELS_SOURCE, a generated C file.
file(GLOB model_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/*.c)
file(GLOB model_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/*.h)
set(models_dir ${CMAKE_BINARY_DIR}/models)
file(MAKE_DIRECTORY ${models_dir})

# No path of this machine may end up in the bitcode: error paths show model sources by their names.
set(model_flags -ffreestanding -fno-builtin -std=gnu11 -nostdinc
  -isystem ${CLANG_19_RESOURCES}/include -I ${CMAKE_SOURCE_DIR}/models -Wall -Wextra -Werror
  -g -O0 -Xclang -disable-O0-optnone -Xclang -disable-llvm-passes -fno-discard-value-names
  -fdebug-prefix-map=${CMAKE_SOURCE_DIR}/=
  -fdebug-prefix-map=${models_dir}=. -fdebug-compilation-dir=.)

set(MODELS_EMBEDDED "")
foreach(bits 32 64)
  set(MODELS_OF_${bits} "")
  foreach(source ${model_sources})
    get_filename_component(name ${source} NAME_WE)
    set(part ${models_dir}/${name}_${bits})
    add_custom_command(OUTPUT ${part}.bc ${part}.names
      COMMAND ${CLANG_19} --target=$<IF:$<EQUAL:${bits},64>,x86_64,i386>-pc-linux-gnu
        ${model_flags} -emit-llvm -c ${source} -o ${part}.bc
      COMMAND ${LLVM_NM_19} --defined-only --extern-only --format=just-symbols ${part}.bc
        > ${part}.names
      DEPENDS ${source} ${model_headers}
      COMMENT "Model ${name} for ${bits} bits" VERBATIM)
    list(APPEND parts ${part}.bc ${part}.names)
    string(APPEND MODELS_EMBEDDED "EMBED(model_${name}_${bits}, \"${part}\")\n")
    string(APPEND MODELS_OF_${bits} "    MODEL(model_${name}_${bits}),\n")
  endforeach()
endforeach()

# Headers of interfaces that are modelled. Programs may include them. Those in cxx/ are only for
# programs with SystemC.
set(HEADERS_EMBEDDED "")
set(HEADERS_LISTED "")
file(GLOB interface_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/include/*.h)
file(GLOB cxx_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/include/cxx/*)
foreach(header ${interface_headers} ${cxx_headers})
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/models/include ${header})
  string(MAKE_C_IDENTIFIER ${path} name)
  list(APPEND parts ${header})
  string(APPEND HEADERS_EMBEDDED "EMBED_FILE(header_${name}, \"${header}\")\n")
  string(APPEND HEADERS_LISTED "    {\"${path}\", header_${name}, header_${name}_end},\n")
endforeach()

set(PROVISO_MODELS_SOURCE ${CMAKE_BINARY_DIR}/models/models_embed.c)
configure_file(${CMAKE_SOURCE_DIR}/cmake/models_embed.c.in ${PROVISO_MODELS_SOURCE} @ONLY)
set_source_files_properties(${PROVISO_MODELS_SOURCE} PROPERTIES OBJECT_DEPENDS "${parts}")
