package io.rankfeed.spark.run;

import java.io.Serializable;

/**
 * A file of an artefact as the task that wrote it saw it; becomes an entry of the manifest.
 *
 * @param path relative to the artefact's folder
 * @param lengthBytes exact length
 * @param sha256 64 lower-case hexadecimal digits, of the bytes that were written
 * @param rows rows in it, or -1 where it holds none
 */
public record WrittenFile(String path, long lengthBytes, String sha256, long rows) implements Serializable {}
