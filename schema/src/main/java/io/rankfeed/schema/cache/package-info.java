/**
 * The byte layout of a cache's files (docs/format/cache.md): which Arrow columns a schema becomes, the Arrow messages of a
 * file, and where every buffer of a file is after all of it has been checked. Rows are written and gathered elsewhere;
 * nothing here keeps a file open.
 *
 * <p>Not here: writing of lanes (shard-export) and their mapping (gpu-feeder).
 */
@NullMarked
package io.rankfeed.schema.cache;

import org.jspecify.annotations.NullMarked;
