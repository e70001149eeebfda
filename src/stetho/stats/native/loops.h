/* The three loops over a block of floating-point elements, written once for all vectors. Included with
 *   REAL          the type of the elements
 *   NAMED(loop)   the name of a loop for these elements and vectors
 *   TARGET        the attribute that lets the compiler use these instructions
 * and with the operations of one of the files vectors_*.h. Two sets of sums hide the latency of an addition; more
 * would not fit into the registers. A block is read from its begin and from its middle at once, which lie on different
 * pages: a tensor that is in no cache comes a fifth faster. */

/* Elements from the begin of a block to its middle, in whole steps of the loops. */
#define HALF(count) ((count) / (4 * LANES) * (2 * LANES))

/* The sum of four vectors of lanes, in four chains: one alone would take as long as reading the block. */
TARGET static double NAMED(joined)(const LANE *lanes)
{
    double sums[4] = {0, 0, 0, 0};
    for (int lane = 0; lane < 4 * LANES; lane += 4)
        for (int chain = 0; chain < 4; chain++)
            sums[chain] += lanes[lane + chain];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Sum, sum of squares, extremes and zeros. Extremes are wrong when a NaN is among the elements; the sum then says so. */
TARGET static void NAMED(sums)(const REAL *x, int64_t count, struct sums *out)
{
    V total0 = v_set(0), total1 = total0, total2 = total0, total3 = total0;
    V power0 = v_set(0), power1 = power0, power2 = power0, power3 = power0;
    V low0 = v_set((LANE)INFINITY), low1 = low0, high0 = v_set((LANE)-INFINITY), high1 = high0;
    C zeros0 = c_none(), zeros1 = zeros0;
    int64_t half = HALF(count), at = 0;
    const REAL *middle = x + half;
    for (; at < half; at += 2 * LANES) {
        PREFETCH(x + at);
        V a = v_load(x + at), b = v_load(x + at + LANES);
        total0 = v_add(total0, a);
        total1 = v_add(total1, b);
        power0 = v_multiply_add(a, a, power0);
        power1 = v_multiply_add(b, b, power1);
        low0 = v_min(a, low0);
        low1 = v_min(b, low1);
        high0 = v_max(a, high0);
        high1 = v_max(b, high1);
        zeros0 = c_zeros(zeros0, a);
        zeros1 = c_zeros(zeros1, b);
        PREFETCH(middle + at);
        a = v_load(middle + at);
        b = v_load(middle + at + LANES);
        total2 = v_add(total2, a);
        total3 = v_add(total3, b);
        power2 = v_multiply_add(a, a, power2);
        power3 = v_multiply_add(b, b, power3);
        low0 = v_min(a, low0);
        low1 = v_min(b, low1);
        high0 = v_max(a, high0);
        high1 = v_max(b, high1);
        zeros0 = c_zeros(zeros0, a);
        zeros1 = c_zeros(zeros1, b);
    }
    LANE totals[4 * LANES], powers[4 * LANES], lows[LANES], highs[LANES];
    COUNTER counts[2 * LANES];
    v_store(totals, total0);
    v_store(totals + LANES, total1);
    v_store(totals + 2 * LANES, total2);
    v_store(totals + 3 * LANES, total3);
    v_store(powers, power0);
    v_store(powers + LANES, power1);
    v_store(powers + 2 * LANES, power2);
    v_store(powers + 3 * LANES, power3);
    v_store(lows, v_min(low0, low1));
    v_store(highs, v_max(high0, high1));
    c_store(counts, zeros0);
    c_store(counts + LANES, zeros1);
    struct sums all = {NAMED(joined)(totals), NAMED(joined)(powers), INFINITY, -INFINITY, 0};
    for (int lane = 0; lane < 2 * LANES; lane++)
        all.zeros += (int64_t)counts[lane];
    for (int lane = 0; lane < LANES; lane++) {
        all.low = lows[lane] < all.low ? lows[lane] : all.low;
        all.high = highs[lane] > all.high ? highs[lane] : all.high;
    }
    for (at = 2 * half; at < count; at++) {
        double value = x[at];
        all.total += value;
        all.power += value * value;
        all.low = value < all.low ? value : all.low;
        all.high = value > all.high ? value : all.high;
        all.zeros += value == 0;
    }
    *out = all;
}

/* Sum and sum of squares of the differences from a value near to all elements. */
TARGET static void NAMED(deviations)(const REAL *x, int64_t count, double center, struct sums *out)
{
    V middle = v_set((LANE)center);
    V total = v_set(0), other_total = v_set(0), power = v_set(0), other_power = v_set(0);
    int64_t at = 0;
    for (; at + 2 * LANES <= count; at += 2 * LANES) {
        V a = v_sub(v_load(x + at), middle), b = v_sub(v_load(x + at + LANES), middle);
        total = v_add(total, a);
        other_total = v_add(other_total, b);
        power = v_multiply_add(a, a, power);
        other_power = v_multiply_add(b, b, other_power);
    }
    LANE totals[2 * LANES], powers[2 * LANES];
    v_store(totals, total);
    v_store(totals + LANES, other_total);
    v_store(powers, power);
    v_store(powers + LANES, other_power);
    out->total = out->power = 0;
    for (int lane = 0; lane < 2 * LANES; lane++) {
        out->total += totals[lane];
        out->power += powers[lane];
    }
    for (; at < count; at++) {
        double value = x[at] - (LANE)center;
        out->total += value;
        out->power += value * value;
    }
}

/* Sum of squares alone, at the speed of reading. A NaN or an infinity among the elements shows in it. */
TARGET static double NAMED(squares)(const REAL *x, int64_t count)
{
    V power0 = v_set(0), power1 = power0, power2 = power0, power3 = power0;
    int64_t half = HALF(count), at = 0;
    const REAL *middle = x + half;
    for (; at < half; at += 2 * LANES) {
        PREFETCH(x + at);
        PREFETCH(middle + at);
        V a = v_load(x + at), b = v_load(x + at + LANES), c = v_load(middle + at), d = v_load(middle + at + LANES);
        power0 = v_multiply_add(a, a, power0);
        power1 = v_multiply_add(b, b, power1);
        power2 = v_multiply_add(c, c, power2);
        power3 = v_multiply_add(d, d, power3);
    }
    LANE powers[LANES];
    v_store(powers, v_add(v_add(power0, power1), v_add(power2, power3)));
    double all = 0;
    for (int lane = 0; lane < LANES; lane++)
        all += powers[lane];
    for (at = 2 * half; at < count; at++)
        all += (double)x[at] * x[at];
    return all;
}
