package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.schema.run.OrderName;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of commands that read a version by a plan over it. */
public final class PlanOption {
    @Option(
            names = "--plan",
            paramLabel = "PLAN",
            description = "A plan over the version: its name, its id, or its path. Default: the version's own plan.")
    private Optional<String> plan = Optional.empty();

    /** The plan as the user wrote it; empty for the version's own. */
    public Optional<String> written() {
        return plan;
    }

    /** @throws io.rankfeed.schema.failure.ConfigException if no version is there, or no plan over it has that name */
    public OpenVersion open(ArtifactSource source) {
        return open(source, plan);
    }

    /** @param plan a name, an id or a path; empty for the version's own plan */
    public static OpenVersion open(ArtifactSource source, Optional<String> plan) {
        OpenVersion version = OpenVersion.open(source);
        return plan.map(words -> version.by(OrderName.read(words, source.address(), VersionLocation::store), words))
                .orElse(version);
    }
}
