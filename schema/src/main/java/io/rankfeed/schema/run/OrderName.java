package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.store.Store;

/** A plan over a version by its name, its id or its path, in the folder {@code orders} next to the dataset's {@code versions}. */
public final class OrderName {
    public static final IdFiles<Order> FILES =
            new IdFiles<>("orders", Order.FILE_NAME, "order", "plan", "plan ", OrderId::parse, Order::plan);

    private OrderName() {}

    /** Whether a path is that of the file of a name, with or without {@code .json}. */
    public static boolean isName(String path, Store store) {
        return Store.name(Store.folder(path)).equals(FILES.folder())
                && store.find(IdFiles.file(IdFiles.withoutSuffix(path)))
                        .filter(file -> !file.isFolder())
                        .isPresent();
    }

    /** The folder of the plans over the versions of a dataset, by the folder of one of these. */
    public static String folder(String version) {
        return Store.folder(Store.folder(version)) + "/" + FILES.folder();
    }

    /**
     * Reads a plan over a version.
     *
     * @param words a name or an id, of a plan next to the version; or the path of a plan's folder, or of its file
     * @param version the version's folder, absolute, or its address
     * @throws ConfigException if no plan is there
     * @throws CorruptDataException if it is damaged
     */
    public static Order read(String words, String version, Store.Finder stores) {
        if (IdFiles.isNameOrId(words)) {
            Store store = stores.of(version);
            if (isOfExport(words, version, store)) {
                throw new ConfigException("plan " + words + ": is a plan that a version was exported by, in plans/"
                        + words + ", and not a plan over a version; leave it out for the version's own plan");
            }
            return FILES.named(words, folder(version), store);
        }
        Store store = stores.of(words);
        if (MixtureName.isAt(words, store)) {
            throw new ConfigException(
                    "plan " + words + ": is a mixture, and not a plan over a version; give the mixture"
                            + " in place of the version, without a plan");
        }
        return at(words, store);
    }

    private static boolean isOfExport(String words, String version, Store store) {
        String dataset = Store.folder(Store.folder(version));
        return IdFiles.ID.matcher(words).matches()
                && store.find(folder(version) + "/" + words + "/" + Order.FILE_NAME)
                        .isEmpty()
                && store.find(dataset + "/plans/" + words + "/" + Manifest.FILE_NAME)
                        .isPresent();
    }

    /**
     * Reads a plan over a version.
     *
     * @param path of the plan's folder, or of its file
     * @throws ConfigException if nothing is there
     * @throws CorruptDataException if it is damaged
     */
    public static Order at(String path, Store store) {
        return FILES.at(path, store);
    }
}
