/* Forget one kind of vectors, before the next is defined. */
#undef V
#undef C
#undef LANE
#undef LANES
#undef v_load
#undef v_set
#undef v_store
#undef v_add
#undef v_sub
#undef v_multiply_add
#undef v_min
#undef v_max
#undef COUNTER
#undef c_none
#undef c_store
#undef c_zeros
