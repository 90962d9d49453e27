package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.look.PlanWords;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.run.DefaultOrder;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.Optional;
import java.util.stream.Stream;

/** The option of commands that open a version by a plan over it. */
public final class PlanOption extends PlanWords {
    private Optional<String> pinned = Optional.empty();

    /** Sets the plan that a run has found, in place of the words that named it; see {@link #pinned}. */
    public void pin(String plan) {
        pinned = Optional.of(plan);
    }

    @Override
    public Optional<String> written() {
        return pinned.or(super::written);
    }

    /**
     * @param words the version as the user wrote it
     * @throws io.rankfeed.schema.failure.ConfigException if no version is there, or no plan over it has that name
     */
    public OpenVersion open(String words, ArtifactSource source) {
        return open(source, VersionLocation.plan(words, written()));
    }

    /**
     * Returns what finds the same plan again, also after its name was given to another plan.
     *
     * @param words the plan as the user named it
     * @param version the version's folder, absolute, or its address
     * @param id of the plan
     */
    public static String pinned(String words, String version, String id) {
        String named = VersionLocation.store(words)
                .find(words)
                .map(StoredFile::path)
                .map(Store::folder)
                .orElse(Store.folder(words));
        return Stream.of(OrderName.folder(version), named)
                .map(folder -> folder + "/" + id)
                .filter(folder -> VersionLocation.store(folder)
                        .find(folder + "/" + Order.FILE_NAME)
                        .isPresent())
                .findFirst()
                .orElse(words);
    }

    /** @param plan a name, an id or a path; empty for the version's own plan */
    public static OpenVersion open(ArtifactSource source, Optional<String> plan) {
        OpenVersion version = OpenVersion.open(source);
        String address = source.address();
        if (plan.isPresent()) {
            return version.by(OrderName.read(plan.get(), address, VersionLocation::store), plan.get());
        } else if (version.hasOrder()) {
            return version;
        }
        Order order = DefaultOrder.of(address, version.manifest().id(), VersionLocation.store(address));
        return version.by(order, order.plan());
    }
}
