package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.Rejections;

/**
 * What pipelines need in addition to rows.
 *
 * @param workers shared by the process
 * @param rejections receives the rows that are fed as zeros
 */
public record ImageContext(ImageWorkers workers, Rejections rejections) {}
