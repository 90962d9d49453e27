/**
 * Micro-benchmarks and head-to-head runs; may import every module, is imported by none.
 *
 * <p>Not here: assertions on time; those depend on the machine.
 */
@NullMarked
package io.rankfeed.bench;

import org.jspecify.annotations.NullMarked;
