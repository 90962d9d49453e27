package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.look.PlanWords;
import io.rankfeed.schema.run.OrderName;
import java.util.Optional;

/** The option of commands that open a version by a plan over it. */
public final class PlanOption extends PlanWords {
    /** @throws io.rankfeed.schema.failure.ConfigException if no version is there, or no plan over it has that name */
    public OpenVersion open(ArtifactSource source) {
        return open(source, written());
    }

    /** @param plan a name, an id or a path; empty for the version's own plan */
    public static OpenVersion open(ArtifactSource source, Optional<String> plan) {
        OpenVersion version = OpenVersion.open(source);
        return plan.map(words -> version.by(OrderName.read(words, source.address(), VersionLocation::store), words))
                .orElse(version);
    }
}
