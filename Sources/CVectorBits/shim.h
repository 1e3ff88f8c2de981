#pragma once
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>

typedef uint8_t vector_bytes __attribute__((__vector_size__(16)));

/// The highest bit of each of sixteen bytes, the first byte's in the lowest place: one instruction,
/// which Swift's vectors have no word for.
static inline uint32_t vector_top_bits(vector_bytes bytes) {
    return (uint32_t)_mm_movemask_epi8((__m128i)bytes);
}
#endif
