package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.remote.VersionLocation;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The version or mixture of commands that read what is on this node, with the options that say which plan and which files. */
public final class LocalOrder {
    @Parameters(index = "0", paramLabel = "VERSION-DIR", description = VersionLocation.OR_MIXTURE)
    private String words = "";

    @Mixin
    private PlanOption plan = new PlanOption();

    @Mixin
    private ExternalOption external = new ExternalOption();

    /**
     * @param command its name
     * @throws io.rankfeed.schema.failure.ConfigException if a version, its plan or a folder is missing
     */
    public OpenOrder open(String command) {
        return external.applied(NamedOrder.local(words, plan.written(), command));
    }
}
