/**
 * The job file as records (docs/job-file.md): what a user may write, checked as far as it can be without data.
 *
 * <p>Not here: Spark, so that a wrong word is reported before anything starts.
 */
@NullMarked
package io.rankfeed.job;

import org.jspecify.annotations.NullMarked;
