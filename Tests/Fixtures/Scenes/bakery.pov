// A cake on a stand, a loaf on a board and a mug on a kitchen worktop.
#version 3.7;
#include "common.inc"
#include "food.inc"
#include "home.inc"

camera { location <2, 46, -84> look_at <1, 8, -1> angle 42 right x * 4 / 3 }
#if (Only = 0)
  sky_sphere { pigment { gradient y color_map { [0 srgb <0.6, 0.58, 0.55>] [1 srgb <0.85, 0.88, 0.92>] } } }
  WindowLight(<-100, 130, -110>, <0, 5, 0>, 75, srgb <1, 0.95, 0.87> * 1.15)
#end

// A pale stone top.
Setting(box {
  <-200, -4, -120>, <200, 0, 70>
  texture {
    pigment {
      granite turbulence 0.4
      color_map { [0 srgb <0.62, 0.61, 0.6>] [0.3 srgb <0.8, 0.79, 0.77>] [1 srgb <0.88, 0.87, 0.85>] }
      scale 30
    }
    finish { diffuse 0.75 specular 0.3 roughness 0.01 reflection { 0.01, 0.2 fresnel on } conserve_energy }
  }
  interior { ior 1.5 }
})
Setting(plane { z, 70 inverse Plaster(Seen(0.62, 0.7, 0.68)) })
// object: cake, food
Thing(1, union {
  // The stand: a plate on a foot.
  lathe {
    cubic_spline 10
    <0, -1>, <0, 0>, <7, 0.2>, <3, 2>, <1.6, 5>, <2.4, 8>, <14, 9>, <14.6, 10.2>, <0, 9.8>, <0, 12>
    sturm
    texture { pigment { srgb <0.93, 0.92, 0.9> } finish { Glaze } }
    interior { ior 1.5 }
  }
  object { Cake() rotate y * 20 translate y * 10 }
  translate <-12, 0, 9>
})
Setting(superellipsoid {
  <0.2, 0.2> scale <16, 0.8, 8.5> translate y * 0.8
  texture { Oak(Seen(0.72, 0.52, 0.32), Seen(0.55, 0.36, 0.2)) rotate y * 90 translate y * 5 finish { Matte } }
  rotate y * 24 translate <13, 0, -19>
})
// object: bread, food
Thing(2, object { Loaf(27, 3) rotate y * 24 translate <13, 1.6, -19> })
// object: mug, home
Thing(3, object { Mug(Seen(0.85, 0.3, 0.2)) rotate y * -30 scale 1.05 translate <23, 0, 14> })
