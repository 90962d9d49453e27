package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.run.VersionName;
import io.rankfeed.schema.store.Store;
import java.util.Optional;

/** Opens what a user named to feed it: a version, by its own plan or by another one over it, or a mixture with its versions. */
public final class NamedOrder {
    private NamedOrder() {}

    /**
     * @param words the folder or the address of a version or a mixture, or a run of a dataset
     * @param plan over the version, as the user named it; empty for the version's own
     * @throws ConfigException if a version or a plan over it is missing
     * @throws io.rankfeed.schema.failure.CorruptDataException if one of them is damaged, or they contradict each other
     */
    public static OpenOrder open(String words, Optional<String> plan) {
        return open(VersionLocation.located(words), plan);
    }

    private static OpenOrder open(VersionName.Located named, Optional<String> plan) {
        String location = named.folder();
        Store store = VersionLocation.store(location);
        if (!MixtureName.isAt(location, store)) {
            return OpenOrder.of(PlanOption.open(VersionLocation.at(location), plan.or(named::order)));
        }
        MixtureName.refusePlan(plan, location);
        MixtureName name = MixtureName.at(location, store);
        return OpenOrder.of(name.mixture(), member -> version(name, member), name.file());
    }

    /**
     * Opens what is on this node, for a command that reads no store.
     *
     * @param command its name
     */
    public static OpenOrder local(String words, Optional<String> plan, String command) {
        return open(VersionLocation.locatedHere(words, command), plan);
    }

    /** Returns the folder or the address of what a user named, also when the name is given to another version or mixture later. */
    public static String location(String words) {
        String location = VersionLocation.resolved(words);
        Store store = VersionLocation.store(location);
        return MixtureName.isAt(location, store)
                ? MixtureName.at(location, store).folder()
                : location;
    }

    /**
     * Opens the version that a member of a mixture draws from.
     *
     * @throws ConfigException if it is missing, or this release cannot feed it
     */
    public static OpenVersion version(MixtureName mixture, Member member) {
        String folder = mixture.version(member.source().orElseThrow());
        try {
            return OpenVersion.open(VersionLocation.at(folder));
        } catch (ConfigException e) {
            boolean isMissing = VersionLocation.store(folder)
                    .find(folder + "/" + Manifest.FILE_NAME)
                    .isEmpty();
            throw isMissing
                    ? mixture.missing(member, e)
                    : new ConfigException("member '" + member.name() + "': " + e.getMessage(), e);
        }
    }
}
