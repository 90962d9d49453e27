package io.rankfeed.spark.inspect;

import io.rankfeed.look.Artifact;
import io.rankfeed.look.Inspection;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An order that is compared with another one.
 *
 * @param name what it is, for users
 * @param version the id of the version that it draws from; for the order of a plan, the id of the plan
 * @param stored the folder of that version or plan
 */
record ComparedOrder(String name, Order order, String version, String stored) {
    /**
     * @param words a plan over a version, a version, or a plan
     * @param plan over the version at {@code words}
     */
    static ComparedOrder of(String words, Optional<String> plan, Consumer<String> warn) {
        Order order = Inspection.order(words, plan, JobParts.STORES, warn);
        String name = words + plan.map(named -> " --plan " + named).orElse("");
        if (!Inspection.isOverVersion(words, JobParts.STORES, warn)) {
            Artifact artifact = Inspection.planned(words, JobParts.STORES, warn);
            return new ComparedOrder(name, order, artifact.manifest().id(), artifact.folder());
        }
        String id = order.versions().stream().findFirst().orElse("");
        Store store = JobParts.STORES.of(words);
        String path = words.replaceFirst("/+(?:" + Order.FILE_NAME + "/*)?$", "");
        String folder = store.find(path).map(StoredFile::path).orElse(path);
        String dataset = Store.folder(Store.folder(folder));
        return new ComparedOrder(name, order, id, MixtureName.version(Store.folder(dataset), Store.name(dataset), id));
    }
}
