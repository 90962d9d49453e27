/**
 * Step D of the data flow, other formats: the rows of a version, in the order of the run's plan, in the files of another library's format
 * (docs/job-file/formats.md).
 *
 * <p>Not here: the bytes of a format ({@code export.format}), and the lanes ({@code spark.export}).
 */
@NullMarked
package io.rankfeed.spark.format;

import org.jspecify.annotations.NullMarked;
