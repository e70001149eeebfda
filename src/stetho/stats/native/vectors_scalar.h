/* No vectors: every machine. One lane, wider than the elements so that it loses nothing. */
#define V double
#define C int64_t
#define LANE double
#define LANES 1
#define v_load(p) ((double)*(p))
#define v_set(s) (s)
#define v_store(p, x) (*(p) = (x))
#define v_add(a, b) ((a) + (b))
#define v_sub(a, b) ((a) - (b))
#define v_multiply_add(a, b, c) ((a) * (b) + (c))
#define v_min(a, b) ((a) < (b) ? (a) : (b))
#define v_max(a, b) ((a) > (b) ? (a) : (b))
#define COUNTER int64_t
#define c_none() 0
#define c_store(p, c) (*(p) = (c))
#define c_zeros(c, x) ((c) + ((x) == 0))
