package io.rankfeed.feeder.cache;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A file of the cache in memory. */
record MappedFile(Path path, MemorySegment bytes) {}
