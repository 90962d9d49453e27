package io.rankfeed.job.mixture;

import io.rankfeed.schema.config.WrittenShort;
import java.util.Optional;

/**
 * A member as the user names it.
 *
 * @param version its folder, or a run of its dataset
 * @param feed of the version; without it the only one that trains
 * @param plan over the version: its name, its id or its path; without it the version's own
 */
@WrittenShort("version")
public record MixtureSource(String version, Optional<String> feed, Optional<String> plan) {}
