/**
 * What all phases of a job share: the context they run in, the folders of a dataset, the commit of an artefact, run
 * facts, progress and named fault points. Nothing here knows what an artefact holds.
 */
@NullMarked
package io.rankfeed.spark.run;

import org.jspecify.annotations.NullMarked;
