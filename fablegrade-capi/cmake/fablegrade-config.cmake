# find_package(fablegrade) gives the targets fablegrade::fablegrade (shared) and fablegrade::static, each if it is
# installed. Headers: fablegrade.h and, for C++17, fablegrade.hpp.
get_filename_component(_fablegrade_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_fablegrade_folders "${_fablegrade_prefix}/lib" "${_fablegrade_prefix}/lib64")
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND _fablegrade_folders "${_fablegrade_prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

find_path(FABLEGRADE_INCLUDE_DIR fablegrade.h PATHS "${_fablegrade_prefix}/include" NO_DEFAULT_PATH)
find_library(FABLEGRADE_LIBRARY fablegrade PATHS ${_fablegrade_folders} NO_DEFAULT_PATH)
find_library(FABLEGRADE_STATIC_LIBRARY
  NAMES "${CMAKE_STATIC_LIBRARY_PREFIX}fablegrade${CMAKE_STATIC_LIBRARY_SUFFIX}"
  PATHS ${_fablegrade_folders} NO_DEFAULT_PATH)
mark_as_advanced(FABLEGRADE_INCLUDE_DIR FABLEGRADE_LIBRARY FABLEGRADE_STATIC_LIBRARY)

if(FABLEGRADE_INCLUDE_DIR AND FABLEGRADE_LIBRARY AND NOT TARGET fablegrade::fablegrade)
  add_library(fablegrade::fablegrade UNKNOWN IMPORTED)
  set_target_properties(fablegrade::fablegrade PROPERTIES
    IMPORTED_LOCATION "${FABLEGRADE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${FABLEGRADE_INCLUDE_DIR}")
endif()

if(FABLEGRADE_INCLUDE_DIR AND FABLEGRADE_STATIC_LIBRARY AND NOT TARGET fablegrade::static)
  add_library(fablegrade::static STATIC IMPORTED)
  set_target_properties(fablegrade::static PROPERTIES
    IMPORTED_LOCATION "${FABLEGRADE_STATIC_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${FABLEGRADE_INCLUDE_DIR}")
  if(UNIX AND NOT APPLE)
    # What the Rust standard library needs; as Libs.private in fablegrade.pc.
    set_property(TARGET fablegrade::static PROPERTY INTERFACE_LINK_LIBRARIES util rt pthread m dl c)
  endif()
endif()

if(NOT TARGET fablegrade::fablegrade AND NOT TARGET fablegrade::static)
  set(fablegrade_FOUND FALSE)
  set(fablegrade_NOT_FOUND_MESSAGE "no libfablegrade under ${_fablegrade_prefix}")
endif()
