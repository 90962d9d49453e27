package io.rankfeed.feeder.cache;

import io.rankfeed.feeder.external.ExternalFiles;

/**
 * The files that a member's lanes refer to in place of the values of a column.
 *
 * @param after how many files after that of a row's {@code _source} the file is that has its value
 */
record ReferencedFiles(ExternalFiles files, int after) {}
