/**
 * Writers of the cache formats and the atomic commit of a version. No Spark, no sampling.
 */
@NullMarked
package io.rankfeed.export;

import org.jspecify.annotations.NullMarked;
