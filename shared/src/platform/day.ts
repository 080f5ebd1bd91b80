/** As clocks count it; the two days of a year that are longer or shorter are nobody's concern here. */
export const dayMs = 86_400_000;
