/**
 * Micro-benchmarks and head-to-head runs; may import every module, is imported by none.
 */
@NullMarked
package io.rankfeed.bench;

import org.jspecify.annotations.NullMarked;
