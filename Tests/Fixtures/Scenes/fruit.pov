#version 3.7;
// Fruit and a mug on a kitchen table.
#include "common.inc"
#include "food.inc"
#include "home.inc"

camera { location <4, 34, -58> look_at <0, 5.5, 0> angle 44 right x * 4 / 3 }
#if (Only = 0)
  sky_sphere { pigment { gradient y color_map { [0 srgb <0.55, 0.52, 0.48>] [1 srgb <0.8, 0.85, 0.92>] } } }
  WindowLight(<-95, 110, -60>, <0, 0, 0>, 60, srgb <1, 0.95, 0.87> * 1.15)
#end

Setting(object {
  Boards(15, 200, 14, 3, Seen(0.66, 0.46, 0.29), Seen(0.45, 0.28, 0.16), 4)
  rotate y * 83
})
// A tiled wall.
Setting(object {
  plane { z, 62 inverse
    texture {
      pigment { brick srgb <0.55, 0.54, 0.5>, srgb <0.78, 0.79, 0.76> brick_size <15, 7.5, 15> mortar 0.35 }
      normal { brick 0.4 brick_size <15, 7.5, 15> mortar 0.35 }
      finish { Glaze }
    }
  }
})

// object: apple, food
Thing(1, object { Apple(Seen(0.75, 0.1, 0.08), 2) rotate <6, 50, -8> scale 1.12 translate <-17, 0, -6> })
// object: bananas, food
Thing(2, object { Bananas rotate y * 16 translate <0, 0, 13> })
// object: orange, food
Thing(3, object { Orange(4) translate <2.5, 0, -13> scale 1.05 })
// object: mug, home
Thing(4, object { Mug(Seen(0.16, 0.33, 0.5)) rotate y * 20 scale 1.1 translate <16.5, 0, -1> })
