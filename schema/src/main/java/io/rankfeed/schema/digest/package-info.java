/**
 * Checksums and identities: SHA-256 of files, CRC32C of blocks, xxh64 of the written encoding of a row's key. Pure
 * functions of bytes; only {@link io.rankfeed.schema.digest.Sha256} reads a file.
 *
 * <p>Not here: which bytes are digested.
 */
@NullMarked
package io.rankfeed.schema.digest;

import org.jspecify.annotations.NullMarked;
