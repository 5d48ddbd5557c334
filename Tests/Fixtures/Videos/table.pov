#version 3.7;
// An apple rolls to the right, a mug slides to the left behind it, an orange stays; the clock runs from 0 to 1.
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
Setting(object { plane { z, 62 inverse pigment { srgb <0.7, 0.72, 0.68> } finish { Glaze } } })

Thing(1, object {
  Apple(Seen(0.75, 0.1, 0.08), 2)
  rotate <6, 50 - 120 * clock, -8> scale 1.12 translate <-19 + 34 * clock, 0, -11>
})
Thing(2, object {
  Mug(Seen(0.16, 0.33, 0.5)) rotate y * 20 scale 1.1 translate <18 - 34 * clock, 0, 9>
})
Thing(3, object { Orange(4) translate <17, 0, -14> })
