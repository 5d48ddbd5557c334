# find_package(Martlet) defines Martlet::Shared and Martlet::Static.
get_filename_component(martlet_folder "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET Martlet::Shared)
  add_library(Martlet::Shared SHARED IMPORTED)
  set_target_properties(Martlet::Shared PROPERTIES
    IMPORTED_LOCATION "${martlet_folder}/lib/libMartletC.so"
    INTERFACE_INCLUDE_DIRECTORIES "${martlet_folder}/include")
  add_library(Martlet::Static STATIC IMPORTED)
  set_target_properties(Martlet::Static PROPERTIES
    IMPORTED_LOCATION "${martlet_folder}/lib/libMartletC.a"
    INTERFACE_INCLUDE_DIRECTORIES "${martlet_folder}/include"
    INTERFACE_LINK_LIBRARIES "stdc++;m"
    INTERFACE_LINK_OPTIONS "LINKER:--gc-sections")
endif()
