"""ET-Plan-Bench: finding and moving objects under spatial, occlusion and temporal constraints."""
