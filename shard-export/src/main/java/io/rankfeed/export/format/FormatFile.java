package io.rankfeed.export.format;

import java.io.Serializable;

/**
 * A file that a format has written.
 *
 * @param path relative to the root of the sets
 * @param rows rows in it, or -1 where it has none, as an index
 */
public record FormatFile(String path, long rows, long lengthBytes) implements Serializable {}
