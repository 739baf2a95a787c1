"""The exponential function from additions and multiplications alone.

That of a C library may differ in the last bit from one machine to the next, and even on one between processors. What is
computed with this one is the same everywhere: IEEE arithmetic is exact to the last bit, and nothing here is more than that.
It is within two units of the last place of the truth.
"""

from math import factorial, ldexp

from spellheist.core.kernel import kernel

PER_OCTAVE = 1.4426950408889634  # 1 / ln 2
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # ln 2; the first part has zeros at its end
E2, E4, E6, E8, E10, E12 = (1 / factorial(n) for n in range(2, 13, 2))
E3, E5, E7, E9, E11, E13 = (1 / factorial(n) for n in range(3, 14, 2))
SMALLEST, LARGEST = -700.0, 700.0


@kernel
def exp(x):
    if x < SMALLEST:
        return 0.0
    x = min(x, LARGEST)
    octaves = int(x * PER_OCTAVE + (0.5 if x > 0 else -0.5))
    r = (x - octaves * LN2_HIGH) - octaves * LN2_LOW  # at most half of ln 2 away from 0
    r2 = r * r
    # The series up to the 13th power, even and odd terms apart: two chains take half the time of one.
    even = 1.0 + r2 * (E2 + r2 * (E4 + r2 * (E6 + r2 * (E8 + r2 * (E10 + r2 * E12)))))
    odd = 1.0 + r2 * (E3 + r2 * (E5 + r2 * (E7 + r2 * (E9 + r2 * (E11 + r2 * E13)))))
    return ldexp(even + r * odd, octaves)
