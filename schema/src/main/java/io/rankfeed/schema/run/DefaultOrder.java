package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The order by which a version is read where the user names none (docs/format/manifest.md, section 7). */
public final class DefaultOrder {
    private DefaultOrder() {}

    /**
     * The order of the version's first commit; where no commit is there, the only order over the version.
     *
     * @param version the version's folder, absolute, or its address
     * @param id of the version
     * @throws ConfigException if none is there, or several without a commit
     * @throws CorruptDataException if it is damaged
     */
    public static Order of(String version, String id, Store store) {
        Optional<String> committed =
                firstCommit(version, id, Optional.empty(), store).flatMap(VersionCommit::order);
        if (committed.isPresent()) {
            return committed(committed.get(), OrderName.folder(version), store);
        }
        List<Order> over = StoredPlan.in(dataset(version), store).stream()
                .filter(StoredPlan::isComplete)
                .map(plan -> plan.order().orElseThrow())
                .filter(order -> order.versions().contains(id))
                .toList();
        if (over.size() == 1) {
            return over.get(0);
        }
        String found = over.isEmpty()
                ? "no order over it is in " + OrderName.folder(version)
                : "the orders " + over.stream().map(Order::plan).toList() + " are over it";
        throw new ConfigException(version + ": no commit of this dataset names version " + id + ", and " + found
                + "; copy the folders commits and orders of the dataset with the version, or name a plan if the command"
                + " has --plan");
    }

    private static Order committed(String order, String folder, Store store) {
        String file = folder + "/" + order + "/" + Order.FILE_NAME;
        if (store.find(file).isEmpty()) {
            throw new ConfigException(file + ": no such file, and the version's first commit names this order; copy the"
                    + " folder orders of the dataset with the version, run the job of that commit again with another"
                    + " --run-id, or name a plan if the command has --plan");
        }
        return OrderName.FILES.named(order, folder, store);
    }

    /**
     * The first commit of a version.
     *
     * @param version the version's folder, absolute, or its address
     * @param id of the version
     * @param order only a commit with this order
     */
    public static Optional<VersionCommit> firstCommit(String version, String id, Optional<String> order, Store store) {
        String folder = dataset(version) + "/" + VersionCommit.FOLDER;
        return store.entries(folder).stream()
                .filter(file -> VersionCommit.number(file.name()).isPresent())
                .map(file -> parsed(file, store))
                .flatMap(Optional::stream)
                .filter(commit -> commit.version().equals(id))
                .filter(commit -> order.isEmpty() || Objects.equals(commit.order(), order))
                .findFirst();
    }

    /** Empty for a commit that a run is writing, or was killed while it wrote. */
    private static Optional<VersionCommit> parsed(StoredFile file, Store store) {
        try {
            return Optional.of(VersionCommit.parse(store.read(file.path(), IdFiles.MAX_NAME_BYTES), file.path()));
        } catch (CorruptDataException e) {
            return Optional.empty();
        }
    }

    private static String dataset(String version) {
        return Store.folder(Store.folder(version));
    }
}
