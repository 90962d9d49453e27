/**
 * First drafts of job and feed files: where a table is, what its columns hold, and the text of the files.
 *
 * <p>Not here: how a job is read or run; a draft is text, which the reader of jobs checks as any other.
 */
@NullMarked
package io.rankfeed.spark.init;

import org.jspecify.annotations.NullMarked;
