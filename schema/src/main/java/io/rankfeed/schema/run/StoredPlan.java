package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A plan over a version in the folder of its dataset.
 *
 * @param id empty for a name whose file is damaged
 * @param names sorted
 * @param order empty where it cannot be read
 * @param state {@code complete}, or what is wrong
 */
public record StoredPlan(String id, List<String> names, Optional<Order> order, String state) {
    private static final String COMPLETE = "complete";

    public StoredPlan {
        names = List.copyOf(names);
    }

    /** Whether the plan is there, and is not damaged. */
    public boolean isComplete() {
        return state.equals(COMPLETE);
    }

    /**
     * Lists the plans of a dataset by id, then the names whose plan is missing, then the damaged names. Files of other kinds are ignored.
     *
     * @param dataset its folder
     */
    public static List<StoredPlan> in(String dataset, Store store) {
        String folder = dataset + "/" + OrderName.FILES.folder();
        Map<String, List<String>> names = new TreeMap<>();
        List<StoredPlan> damaged = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (StoredFile entry : store.entries(folder)) {
            if (entry.isFolder() && IdFiles.ID.matcher(entry.name()).matches()) {
                ids.add(entry.name());
            } else if (!entry.isFolder() && entry.name().endsWith(IdFiles.SUFFIX)) {
                String name = IdFiles.withoutSuffix(entry.name());
                try {
                    String id = OrderName.FILES.idIn(store.read(entry.path(), IdFiles.MAX_NAME_BYTES), entry.path());
                    names.computeIfAbsent(id, one -> new ArrayList<>()).add(name);
                } catch (CorruptDataException e) {
                    damaged.add(new StoredPlan("", List.of(name), Optional.empty(), "damaged: " + e.getMessage()));
                }
            }
        }
        List<StoredPlan> plans = new ArrayList<>();
        for (String id : ids) {
            List<String> named = names.remove(id);
            plans.add(read(id, named == null ? List.of() : named, folder + "/" + id, store));
        }
        names.forEach((id, named) -> plans.add(new StoredPlan(id, named, Optional.empty(), "missing")));
        plans.addAll(damaged);
        return plans;
    }

    private static StoredPlan read(String id, List<String> names, String folder, Store store) {
        String file = folder + "/" + Order.FILE_NAME;
        if (store.find(file).isEmpty()) {
            return new StoredPlan(id, names, Optional.empty(), "unfinished");
        }
        try {
            Order order = OrderId.parse(store.read(file, JsonLimits.SERVED.maxBytes()), file);
            return new StoredPlan(
                    id, names, Optional.of(order), order.plan().equals(id) ? COMPLETE : "in the wrong folder");
        } catch (CorruptDataException e) {
            return new StoredPlan(id, names, Optional.empty(), "damaged: " + e.getMessage());
        }
    }
}
